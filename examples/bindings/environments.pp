# Which environment a node gets. Facts, the variables of the ENC, $classes and $agent_environment are known here.
site {
  environment { 'production': envdir => '$confdir/production' }
  dynamic_environments { '$confdir/environments': modulepath => ['modules', '$confdir/production/modules'] }
}

if 'canary' in $classes {
  $environment = 'canary'
}
