package dev.parley.tools.sandbox.child;

import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;

/**
 * Runs code, each time in a world of its own that has the language and nothing else: no files, network, processes, threads,
 * environment or Java classes. Nothing here ends it, and nothing bounds its memory: the process does.
 */
interface Interpreter extends AutoCloseable {
    /** Makes what the next run needs, so that it need not wait for that. */
    default void prepare() {}

    /** Runs it. */
    Answer run(Ask ask);

    @Override
    default void close() {}
}
