/** Tools that are endpoints of somebody's HTTP API. */
@NullMarked
package dev.parley.tools.rest;

import org.jspecify.annotations.NullMarked;
