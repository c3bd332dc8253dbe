package dev.parley.tools.sandbox.child;

import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.SandboxMessage.Response;

/**
 * Runs code, each time in a fresh context with the language and nothing else: no files, network, processes, threads,
 * environment or Java classes. Time and memory are bounded by the process, not here.
 */
interface ScriptInterpreter extends AutoCloseable {
    /** Prepares the next run ahead of time. */
    default void prepare() {}

    /** Runs a script. */
    Response run(Request request);

    @Override
    default void close() {}
}
