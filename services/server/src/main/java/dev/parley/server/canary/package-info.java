/**
 * {@code parley canary}: a synthetic client that sends turns over HTTP and reports lost, late and duplicate replies.
 */
@NullMarked
package dev.parley.server.canary;

import org.jspecify.annotations.NullMarked;
