/**
 * HTTP calls to third-party hosts: private networks are blocked unless allowed, and keys are sent only to their own
 * hosts.
 */
@NullMarked
package dev.parley.platform.outbound;

import org.jspecify.annotations.NullMarked;
