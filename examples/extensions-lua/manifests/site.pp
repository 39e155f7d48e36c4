site {
  categories { rack => $facts['rack'] }
  bindings => [
    layer { 'site': include => 'confdir:/default' },
    layer { 'teams': include => ['teams:/web', 'teams:/db'] },
  ]
}
