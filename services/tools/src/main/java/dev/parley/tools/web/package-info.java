/** The tool that fetches web pages. */
@NullMarked
package dev.parley.tools.web;

import org.jspecify.annotations.NullMarked;
