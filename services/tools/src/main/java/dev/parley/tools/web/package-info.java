/** Reading pages of the web. */
@NullMarked
package dev.parley.tools.web;

import org.jspecify.annotations.NullMarked;
