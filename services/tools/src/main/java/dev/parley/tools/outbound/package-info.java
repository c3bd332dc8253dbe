/** How tools that others define prove who they are from. */
@NullMarked
package dev.parley.tools.outbound;

import org.jspecify.annotations.NullMarked;
