# Interpolation.
Integer[1, 200].map |$x| { "host-${x}.${facts['networking']['domain']}: ${facts['os']['family']} of ${$x + 1}" }
