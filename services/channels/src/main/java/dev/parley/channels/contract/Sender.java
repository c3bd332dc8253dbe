package dev.parley.channels.contract;

/**
 * Who wrote a message.
 *
 * @param id the channel's own id of the person, unique in the channel
 * @param name what people call them; said by themselves, so it proves nothing
 */
public record Sender(String id, String name) {}
