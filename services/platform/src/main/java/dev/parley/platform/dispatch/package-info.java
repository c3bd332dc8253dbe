/**
 * In-process calls: a topology hands calls to workers of the same process in memory, receives their results in memory,
 * and commits when an effect waits for the commit.
 *
 * <p>{@link dev.parley.platform.dispatch.LocalDispatch} connects the topologies and workers of a process.
 * {@link dev.parley.platform.dispatch.TaskDispatch} has the calls of one stream task, their results, and the effects
 * that wait for its commit. {@link dev.parley.platform.dispatch.StreamThread} is shared by a stream thread, its
 * consumer, its producer and its tasks. Without a worker in the process, or without a free slot there, a call is a
 * record on its request topic.
 */
@NullMarked
package dev.parley.platform.dispatch;

import org.jspecify.annotations.NullMarked;
