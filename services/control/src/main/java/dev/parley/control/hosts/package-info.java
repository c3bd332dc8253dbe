/** Hosts: the tenants of an installation. */
@NullMarked
package dev.parley.control.hosts;

import org.jspecify.annotations.NullMarked;
