/** Lifecycle of services: started in order, stopped in reverse order. */
@NullMarked
package dev.parley.platform.service;

import org.jspecify.annotations.NullMarked;
