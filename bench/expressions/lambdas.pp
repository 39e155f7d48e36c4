# A lambda that is called a thousand times.
Integer[1, 1000].map |$x| { $x * 2 + 1 }
