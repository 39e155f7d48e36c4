# Lambdas with types, and variables of their own.
Integer[1, 300].map |Integer[0] $x| >> Integer {
  $double = $x * 2
  $double + $x
}
