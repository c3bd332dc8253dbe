/** The contract between channels and Parley: inbound messages, outbound replies, rights and links. */
@NullMarked
package dev.parley.channels.contract;

import org.jspecify.annotations.NullMarked;
