/** Common parts of other protocols: parsing requests, following turns, and mapping their ends. */
@NullMarked
package dev.parley.channels.protocols;

import org.jspecify.annotations.NullMarked;
