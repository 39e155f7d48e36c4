// SPDX-License-Identifier: Apache-2.0
// libpq, loaded when the first store in PostgreSQL is opened.
#pragma once

#include <libpq-fe.h>

#include "tree/shared_library.hpp"

namespace strata::store {

/// The functions of libpq that are used here.
class Pq : LibraryFunctions {
 public:
  /// The instance of this process, which is never unloaded. Error `store.unavailable` if the library is missing or
  /// older than 14. Thread-safe.
  [[nodiscard]] static const Pq& loaded();

 private:
  Pq() : LibraryFunctions({"libpq.so.5"}) {}

 public:
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define STRATA_PQ(name) decltype(&PQ##name) name = find<decltype(&PQ##name)>("PQ" #name)
  STRATA_PQ(clear);
  STRATA_PQ(cmdStatus);
  STRATA_PQ(cmdTuples);
  STRATA_PQ(conninfoFree);
  STRATA_PQ(conninfoParse);
  STRATA_PQ(connectdbParams);
  STRATA_PQ(consumeInput);
  STRATA_PQ(enterPipelineMode);
  STRATA_PQ(errorMessage);
  STRATA_PQ(execParams);
  STRATA_PQ(finish);
  STRATA_PQ(fname);
  STRATA_PQ(freemem);
  STRATA_PQ(ftype);
  STRATA_PQ(getResult);
  STRATA_PQ(getisnull);
  STRATA_PQ(getlength);
  STRATA_PQ(getvalue);
  STRATA_PQ(nfields);
  STRATA_PQ(notifies);
  STRATA_PQ(ntuples);
  STRATA_PQ(parameterStatus);
  STRATA_PQ(pipelineSync);
  STRATA_PQ(resultErrorField);
  STRATA_PQ(resultErrorMessage);
  STRATA_PQ(resultStatus);
  STRATA_PQ(sendPrepare);
  STRATA_PQ(sendQueryPrepared);
  STRATA_PQ(serverVersion);
  STRATA_PQ(setNoticeReceiver);
  STRATA_PQ(socket);
  STRATA_PQ(status);
#undef STRATA_PQ
};

}  // namespace strata::store
