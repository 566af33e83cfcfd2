# The control shell of a container. It uses only what every shell has built in. The processes of a program are its descendants and
# those that are still in its session.
# Reads lines "<number> <signal> <pid> <age>" and answers each with its number. Age "-" means the program and all of its processes,
# "+" all but the program itself, a number only those that it started within that many hundredths of a second.
collect() {
  all=
  for dir in /proc/[0-9]*; do
    stat=
    { while IFS= read -r line; do stat="$stat$line "; done < "$dir/stat"; } 2>/dev/null
    case "$stat" in *") "*) ;; *) continue ;; esac
    set -- ${stat##*) }
    [ "$1" = Z ] || all="$all ${dir#/proc/}:$2:$4:${20}"
  done
}
choose() {
  collect
  found=" $root "
  grown=1
  while [ "$grown" = 1 ]; do
    grown=0
    for entry in $all; do
      pid=${entry%%:*}; rest=${entry#*:}
      parent=${rest%%:*}; rest=${rest#*:}
      case "$found" in *" $pid "*) continue ;; esac
      case "$found" in *" $parent "*) ;; *) [ "${rest%%:*}" = "$root" ] || continue ;; esac
      found="$found$pid "
      grown=1
    done
  done
  chosen=
  for entry in $all; do
    pid=${entry%%:*}
    case "$found" in *" $pid "*) ;; *) continue ;; esac
    case "$age" in
      -) ;;
      *) [ "$pid" != "$root" ] && [ "${entry##*:}" -ge "$since" ] || continue ;;
    esac
    chosen="$chosen $pid"
  done
}
send() { for pid in $chosen; do kill -s "$1" "$pid" 2>/dev/null; done; }
while read -r number name root age; do
  since=0
  case "$age" in
    -|+) ;;
    *)
      read -r up idle < /proc/uptime
      up=${up%.*}${up#*.}; up=${up#0}; up=${up#0}
      since=$((up - age - 1)) ;;
  esac
  if [ "$name" = KILL ]; then
    before=; round=0
    choose
    while [ "$chosen" != "$before" ] && [ "$round" -lt 20 ]; do
      before=$chosen; round=$((round + 1))
      send STOP
      choose
    done
  else
    choose
  fi
  send "$name"
  echo "$number"
done
