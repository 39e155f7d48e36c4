# Hashes and arrays that are put together and taken apart.
Integer[1, 100].map |$x| {
  $base = { 'name' => "n${x}", 'ports' => [80, 443], 'size' => $x }
  $all = $base + { 'ports' => $base['ports'] + [8000 + $x] }
  $all['ports'][-1]
}
