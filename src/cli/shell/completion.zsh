#compdef roster-sync
# Completion of roster-sync in zsh. To load it: source <(roster-sync completions zsh)
_roster_sync() {
  local line value files=0
  local -a found
  for line in "${(@f)$("${words[1]}" __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      value=${line%%$'\t'*}
      found+=("${value//:/\\:}:${line#*$'\t'}")
    fi
  done
  [[ ${words[CURRENT]} == --*=* ]] && compset -P '*='
  (( $#found )) && _describe -t words word found
  (( files )) && _files
}
if [[ ${funcstack[1]-} == _roster_sync ]]; then
  _roster_sync "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _roster_sync roster-sync
fi
