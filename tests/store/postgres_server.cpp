// SPDX-License-Identifier: Apache-2.0
#include "postgres_server.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace strata::testing {
namespace {

/// Where Debian keeps the programs of the newest version.
std::string found_programs() {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql")) {
    const std::string folder = entry.path() / "bin";
    if (std::filesystem::exists(folder + "/initdb") && folder > found) found = folder;
  }
  if (found.empty())
    throw std::runtime_error("there is no PostgreSQL below /usr/lib/postgresql: script/bootstrap installs it");
  return found;
}

/// The user that the server runs as, where this process is root's.
const passwd* server_user() {
  if (geteuid() != 0) return nullptr;
  const passwd* user = getpwnam("postgres");
  return user != nullptr ? user : getpwnam("nobody");
}

}  // namespace

PostgresServer::PostgresServer() : programs_(found_programs()) {
  std::string name = "/tmp/strata-postgres-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = name;
  if (const passwd* user = server_user(); user != nullptr && chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0)
    throw std::runtime_error("chown");
  run("initdb", fmt::format("-D {}/data -A trust -U strata -E UTF8 --locale=C.UTF-8 --no-sync", folder_));
  start();
}

PostgresServer::~PostgresServer() {
  stop(true);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

pid_t PostgresServer::launch(const std::string& program, const std::string& arguments) const {
  const passwd* user = server_user();
  const std::string command = fmt::format("exec {}/{} {} >>{}/log 2>&1", programs_, program, arguments, folder_);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child > 0) return child;
  if (user != nullptr && (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0))
    _exit(126);
  // It does not outlive the tests, whatever ends them. After the change of the user, which forgets it.
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  if (getppid() != parent || chdir(folder_.c_str()) != 0) _exit(126);
  execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  _exit(127);
}

void PostgresServer::run(const std::string& program, const std::string& arguments) const {
  int status = 0;
  if (waitpid(launch(program, arguments), &status, 0) < 0 || status != 0)
    throw std::runtime_error(fmt::format("{} failed: see {}/log", program, folder_));
}

void PostgresServer::start() {
  server_ = launch(
      "postgres",
      fmt::format("-D {0}/data -k {0} -c listen_addresses= -c fsync=off -c max_connections=60 -c shared_buffers=16MB",
                  folder_));
  for (int tries = 0; tries < 1200; ++tries) {
    PGconn* connection = PQconnectdb(url("postgres").c_str());
    const bool is_up = PQstatus(connection) == CONNECTION_OK;
    PQfinish(connection);
    if (is_up) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw std::runtime_error(fmt::format("the server does not start: see {}/log", folder_));
}

void PostgresServer::stop(bool at_once) {
  if (server_ < 0) return;
  kill(server_, at_once ? SIGQUIT : SIGINT);
  waitpid(server_, nullptr, 0);
  server_ = -1;
}

void PostgresServer::restart(bool at_once) {
  stop(at_once);
  start();
}

std::string PostgresServer::url(const std::string& database) const {
  return fmt::format("postgresql://strata@/{}?host={}", database, folder_);
}

std::string PostgresServer::make_database() {
  const std::string name = fmt::format("t{}", ++made_);
  PGconn* connection = PQconnectdb(url("postgres").c_str());
  PGresult* result = PQexec(connection, fmt::format("CREATE DATABASE {}", name).c_str());
  const bool is_made = PQresultStatus(result) == PGRES_COMMAND_OK;
  PQclear(result);
  PQfinish(connection);
  if (!is_made) throw std::runtime_error("no database could be made");
  return url(name);
}

}  // namespace strata::testing
