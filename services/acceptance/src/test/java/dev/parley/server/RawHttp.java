package dev.parley.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Sends requests as text, since clients do not send several {@code Host} headers, foreign ones or fetch metadata. */
record RawHttp(String url) {
    private static final int TIMEOUT = 20_000;

    /** A response. */
    record Raw(int status, String text) {}

    /**
     * Sends a request.
     *
     * @param line method and target, without version
     * @param body JSON, or empty
     * @param headers lines
     */
    Raw send(String line, String body, String... headers) {
        URI address = URI.create(url);
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(TIMEOUT);
            String head = line + " HTTP/1.1\r\n" + String.join("\r\n", headers)
                    + (body.isEmpty() ? "" : "\r\nContent-Type: application/json")
                    + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body;
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            byte[] first = socket.getInputStream().readNBytes(12); // HTTP/1.1 200
            String status = new String(first, StandardCharsets.UTF_8);
            String rest = head(socket.getInputStream());
            return new Raw(Integer.parseInt(status.substring(9)), status + rest);
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }

    /** The rest of the response's headers: its body may be a stream without an end. */
    private static String head(InputStream in) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            text.append((char) next);
        }
        return text.toString();
    }
}
