/**
 * The fast lane: a topology hands calls to workers of the same process in memory and takes their answers in memory, and commits when
 * somebody waits for the commit.
 *
 * <p>{@link dev.parley.platform.dispatch.LocalDispatch} joins the topologies and workers of a process.
 * {@link dev.parley.platform.dispatch.TaskDispatch} is the lane of one task: its calls, its answers, and what waits for its commit.
 * {@link dev.parley.platform.dispatch.StreamThread} is what a stream thread, its consumer, its producer and its tasks tell each other.
 * Without a worker in the process, or without room there, a call is a record of its request topic.
 */
@NullMarked
package dev.parley.platform.dispatch;

import org.jspecify.annotations.NullMarked;
