/**
 * Channels where people talk. A plug-in implements {@link dev.parley.channels.contract.ChannelPlugin} and
 * {@link dev.parley.channels.contract.Connection}, and is given a {@link dev.parley.channels.contract.ChannelBot}.
 */
@NullMarked
package dev.parley.channels.contract;

import org.jspecify.annotations.NullMarked;
