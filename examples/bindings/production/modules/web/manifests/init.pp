class web (Integer $port = 80, Integer $workers = 1) {
}
