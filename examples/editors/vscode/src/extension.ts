// Fairway in VS Code: starts `fairway lsp` for the languages of the manifest and restarts it when a setting changes.
import { ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const languages = ["slurmconf", "mauicfg", "sacctmgrdump", "fairway"];

let client: LanguageClient | undefined;

function create(): LanguageClient {
  const settings = workspace.getConfiguration("fairway");
  const args = ["lsp"];
  const version = settings.get<string>("slurmVersion", "");
  if (version !== "") {
    args.push("--slurm-version", version);
  }
  const server: ServerOptions = { command: settings.get<string>("path", "fairway"), args };
  const options: LanguageClientOptions = {
    documentSelector: languages.map((language) => ({ language })),
    initializationOptions: { snapshot: settings.get<string>("snapshot", "") },
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{conf,cfg,hcl}") },
  };
  return new LanguageClient("fairway", "Fairway", server, options);
}

async function start(): Promise<void> {
  await client?.stop();
  client = create();
  try {
    await client.start();
  } catch (error) {
    void window.showErrorMessage(`Fairway does not start: ${error}. The setting fairway.path names the program.`);
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("fairway")) {
        void start();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
