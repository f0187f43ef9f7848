#!/bin/sh
# Reviews a change of slurm.conf: review.sh OLD NEW ACCOUNTS QUEUE TESTS [OPTIONS OF DIFF]
# Writes comment.md for the merge request, change.html, lint.xml and tests.xml; exit code 1 asks a person to look.
set -u
old=$1 new=$2 accounts=$3 queue=$4 tests=$5
shift 5

fairway lint "$new" "$accounts" -o junit=lint.xml -o text=lint.txt
lint=$?
fairway test "$tests" --junit=tests.xml > tests.txt 2>&1
tests=$?
fairway diff "$old" "$new" --with "$accounts" -s "$queue" -o markdown=change.md -o html=change.html \
  --fail-if 'moved > 0.05' --fail-if 'blocked > 0' "$@" 2> limits.txt
diff=$?

{
  echo '### What this change does to the queue'
  [ -s change.md ] && cat change.md
  for part in limits tests lint; do
    if [ -s "$part.txt" ]; then
      echo
      echo '~~~'
      cat "$part.txt"
      echo '~~~'
    fi
  done
} > comment.md

echo "lint $lint, tests $tests, queue $diff"
[ "$lint$tests$diff" = 000 ]
