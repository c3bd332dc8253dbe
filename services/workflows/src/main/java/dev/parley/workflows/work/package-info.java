/**
 * Executors of the calls of workflow processes: HTTP, OpenAPI, AsyncAPI, gRPC, JSON-RPC, A2A, other workflows, agents.
 */
@NullMarked
package dev.parley.workflows.work;

import org.jspecify.annotations.NullMarked;
