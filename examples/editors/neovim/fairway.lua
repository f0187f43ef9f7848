-- Fairway in Neovim, 0.7 or newer. Put this file into ~/.config/nvim/plugin/.
-- vim.g.fairway_command and vim.g.fairway_snapshot may be set before, in init.lua.

local group = vim.api.nvim_create_augroup("fairway", { clear = true })

-- Which files are in which language, by their names.
local names = {
  slurmconf = { "slurm.conf" },
  mauicfg = { "maui.cfg" },
  fairway = { "*.fairway.hcl", "*.fairwaytest.hcl", "fairway.hcl" },
}

local languages = { "slurmconf", "mauicfg", "sacctmgrdump", "fairway" }

for filetype, patterns in pairs(names) do
  vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
    group = group,
    pattern = patterns,
    callback = function()
      vim.bo.filetype = filetype
    end,
  })
end

-- A dump of sacctmgr has any name: it is known by its lines.
vim.api.nvim_create_autocmd("BufRead", {
  group = group,
  pattern = { "*.cfg", "*.dump" },
  callback = function()
    for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, 200, false)) do
      if line:match("^%s*Cluster %- ") then
        vim.bo.filetype = "sacctmgrdump"
        return
      end
    end
  end,
})

local clients = {} -- the server of each folder, where vim.lsp.start is missing (before 0.8)

local function start(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local config = {
    name = "fairway",
    cmd = vim.g.fairway_command or { "fairway", "lsp" },
    root_dir = vim.fn.fnamemodify(name, ":p:h"),
    init_options = { snapshot = vim.g.fairway_snapshot },
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  local id = clients[config.root_dir]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  vim.lsp.buf_attach_client(buffer, id)
end

vim.api.nvim_create_autocmd("FileType", {
  group = group,
  pattern = languages,
  callback = function(event)
    if vim.bo[event.buf].commentstring == "" then
      vim.bo[event.buf].commentstring = "# %s"
    end
    vim.bo[event.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
    start(event.buf)
  end,
})

-- What a slurm.conf includes, and gres.conf and others beside it: the server knows them by their text.
vim.api.nvim_create_autocmd("BufRead", {
  group = group,
  pattern = "*/slurm/*.conf",
  callback = function(event)
    if vim.bo[event.buf].filetype ~= "slurmconf" then
      start(event.buf)
    end
  end,
})
