/** What a process starts, in order, and stops in the reverse order. */
@NullMarked
package dev.parley.platform.service;

import org.jspecify.annotations.NullMarked;
