bindings default {
  bind Integer, 'first number' to 10
  bind Array[Integer], 'numbers' to producer 'Numbers' { producer_args => { count => 4 } }
  bind 'sums' to sequences::each_pair(inject('numbers')) |$left, $right| { $left + $right }
}
