// The scripts that let shells ask roster-sync what may come next.

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The name of the hidden command that the scripts call. */
export const completeCommand = '__complete';
/** The line after which names of files may follow. */
export const filesLine = ':files';

// bash splits `--config=x` at `=`, and its version 3.2 (macOS) has neither mapfile nor compopt.
const bash = `# Completion of roster-sync in bash. To load it: source <(roster-sync completions bash)
_roster_sync() {
  local IFS=$'\\n' current=\${COMP_WORDS[COMP_CWORD]} words=() line value i
  [[ $current == = ]] && current=
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == = ]] || words+=("\${COMP_WORDS[i]}")
  done
  COMPREPLY=()
  while read -r line; do
    if [[ $line == ${filesLine} ]]; then
      compopt -o filenames 2>/dev/null
      while read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current")
    else
      value=\${line%%$'\\t'*}
      COMPREPLY+=("$(printf %q "$value")")
    fi
  done < <("\${COMP_WORDS[0]}" ${completeCommand} -- "\${words[@]}" "$current" 2>/dev/null)
}
complete -F _roster_sync roster-sync
`;

const zsh = `#compdef roster-sync
# Completion of roster-sync in zsh. To load it: source <(roster-sync completions zsh)
_roster_sync() {
  local line value files=0
  local -a found
  for line in "\${(@f)$("\${words[1]}" ${completeCommand} -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ${filesLine} ]]; then
      files=1
    elif [[ -n $line ]]; then
      value=\${line%%$'\\t'*}
      found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  [[ \${words[CURRENT]} == --*=* ]] && compset -P '*='
  (( $#found )) && _describe -t words word found
  (( files )) && _files
}
if [[ \${funcstack[1]-} == _roster_sync ]]; then
  _roster_sync "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _roster_sync roster-sync
fi
`;

const fish = `# Completion of roster-sync in fish. To load it: roster-sync completions fish | source
function __roster_sync_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    for line in ($program ${completeCommand} -- $words "$current" 2>/dev/null)
        if test "$line" = ${filesLine}
            __fish_complete_path (string replace -- "$flag" '' "$current")
        else
            printf '%s\\n' "$flag$line"
        end
    end
end
complete -c roster-sync -f -a '(__roster_sync_complete)'
`;

export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
