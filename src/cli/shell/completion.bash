# Completion of roster-sync in bash. To load it: source <(roster-sync completions bash)
# bash splits `--config=x` at `=`, and its version 3.2 (macOS) has neither mapfile nor compopt.
_roster_sync() {
  local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]} words=() line value i
  [[ $current == = ]] && current=
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == = ]] || words+=("${COMP_WORDS[i]}")
  done
  COMPREPLY=()
  while read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current")
    else
      value=${line%%$'\t'*}
      COMPREPLY+=("$(printf %q "$value")")
    fi
  done < <("${COMP_WORDS[0]}" __complete -- "${words[@]}" "$current" 2>/dev/null)
}
complete -F _roster_sync roster-sync
