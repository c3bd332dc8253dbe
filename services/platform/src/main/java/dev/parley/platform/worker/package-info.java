/**
 * The loop of a worker: it reads requests, carries each out on a virtual thread of its own, and answers on {@code results}.
 *
 * <p>A new kind of worker is a {@link dev.parley.platform.worker.CallHandler} given to a
 * {@link dev.parley.platform.worker.WorkerLoop}.
 */
@NullMarked
package dev.parley.platform.worker;

import org.jspecify.annotations.NullMarked;
