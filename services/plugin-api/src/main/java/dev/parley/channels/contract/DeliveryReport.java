package dev.parley.channels.contract;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What became of a message, as the other side reports it after it was sent, perhaps repeatedly and in any order.
 *
 * @param delivery the {@link Delivery#id} under which it was sent
 * @param message the channel's reference of it: 1 to 126 printable characters
 * @param failure why it did not arrive, for operators and without secrets; null where it was accepted
 */
public record DeliveryReport(
        String delivery, String message, @Nullable String failure) {
    private static final Pattern MESSAGE = Pattern.compile("\\P{Cntrl}{1,126}");
    private static final int MAX_FAILURE = 1_000;

    public DeliveryReport {
        if (!MESSAGE.matcher(message).matches()) {
            throw new IllegalArgumentException("not a reference of a message");
        }
        failure = failure == null ? null : ClippedText.within(failure, MAX_FAILURE);
    }
}
