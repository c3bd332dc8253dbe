/** What processes call: HTTP, OpenAPI, JSON-RPC, other workflows, agents. */
@NullMarked
package dev.parley.workflows.work;

import org.jspecify.annotations.NullMarked;
