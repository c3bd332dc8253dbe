/** How calls that others define reach other machines: never the operator's own ones, and with no key that is not for them. */
@NullMarked
package dev.parley.platform.outbound;

import org.jspecify.annotations.NullMarked;
