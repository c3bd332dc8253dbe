/** Protocol Buffers for gRPC calls: a parser of .proto files and the JSON mapping of messages. */
@NullMarked
package dev.parley.workflows.proto;

import org.jspecify.annotations.NullMarked;
