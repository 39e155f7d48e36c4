# Branches of all kinds.
Integer[1, 100].map |$x| {
  $kind = if $x % 2 == 0 { 'even' } else { 'odd' }
  $size = $x ? { Integer[1, 30] => 'small', Integer[31, 60] => 'medium', default => 'large' }
  case "${kind} ${size}" {
    'even small': { 1 }
    /^odd (\w+)$/: { $1 }
    default: { $x }
  }
}
