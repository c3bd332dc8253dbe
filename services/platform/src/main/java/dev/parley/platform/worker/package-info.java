/**
 * The loop of a worker: it reads requests, executes each on a virtual thread, and sends its result to {@code results}.
 *
 * <p>A new kind of worker is a {@link dev.parley.platform.worker.CallHandler} given to a
 * {@link dev.parley.platform.worker.WorkerLoop}.
 */
@NullMarked
package dev.parley.platform.worker;

import org.jspecify.annotations.NullMarked;
