/** Messages of gRPC: what a text of Protocol Buffers says, and how its messages are written as JSON. */
@NullMarked
package dev.parley.workflows.proto;

import org.jspecify.annotations.NullMarked;
