bindings web::default {
  bind parameters web to { workers => 2, port => 80 }
  when virtual true { bind parameters web to { workers => 4 } }

  bind 'web::banner' to "${site_name} (${environment}), ask ${support_mail}"

  # The big databases of production, on whatever node they are.
  bind 'web::databases' to Database[?? tag == prod and size > 10]
  bind alias 'web::banner' as 'banner'
  bind dependency Package['nginx'] -> File['/etc/nginx/nginx.conf'] ~> Service['nginx']
}
