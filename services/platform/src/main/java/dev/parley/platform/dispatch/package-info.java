/**
 * In-process calls: a topology hands calls to workers of the same process in memory, takes their answers in memory, and commits when an
 * effect waits for the commit.
 *
 * <p>{@link dev.parley.platform.dispatch.LocalDispatch} knows the topologies and workers of a process.
 * {@link dev.parley.platform.dispatch.TaskDispatch} has the calls of one stream task, their answers, and what waits for its commit.
 * {@link dev.parley.platform.dispatch.StreamThread} is what a stream thread, its consumer, its producer and its tasks share. Without a
 * worker in the process, or without a free slot there, a call is a record on its request topic.
 */
@NullMarked
package dev.parley.platform.dispatch;

import org.jspecify.annotations.NullMarked;
