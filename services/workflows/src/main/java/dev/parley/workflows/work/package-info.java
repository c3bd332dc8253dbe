/** What processes call: HTTP, OpenAPI, AsyncAPI, JSON-RPC, other workflows, agents. */
@NullMarked
package dev.parley.workflows.work;

import org.jspecify.annotations.NullMarked;
