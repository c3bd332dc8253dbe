/**
 * The API of channel plug-ins. A plug-in implements {@link dev.parley.channels.contract.ChannelPlugin} and
 * {@link dev.parley.channels.contract.Connection}, and receives a {@link dev.parley.channels.contract.ChannelBot}.
 */
@NullMarked
package dev.parley.channels.contract;

import org.jspecify.annotations.NullMarked;
