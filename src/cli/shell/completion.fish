# Completion of roster-sync in fish. To load it: roster-sync completions fish | source
function __roster_sync_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    for line in ($program __complete -- $words "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace -- "$flag" '' "$current")
        else
            printf '%s\n' "$flag$line"
        end
    end
end
complete -c roster-sync -f -a '(__roster_sync_complete)'
