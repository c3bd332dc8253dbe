/** Bots as files, requests and rows define them. */
@NullMarked
package dev.parley.platform.config.bot;

import org.jspecify.annotations.NullMarked;
