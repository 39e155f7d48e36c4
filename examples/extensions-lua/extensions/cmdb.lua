-- Resources of other nodes, out of wherever they are kept. All that may match is enough: strata checks again.
strata.query_service("cmdb", function(ctx, query)
  return {
    { type = "Sql", title = "main", certname = "db1.example.com", parameters = { port = 5432, rack = 7 } },
    { type = "Sql", title = "spare", certname = "db2.example.com", parameters = { port = 5433, rack = 8 } },
  }
end)
