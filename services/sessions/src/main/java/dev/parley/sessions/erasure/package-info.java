/**
 * Erasure of sessions, users and projects: removes their events and files once the views are clean, and issues
 * receipts.
 */
@NullMarked
package dev.parley.sessions.erasure;

import org.jspecify.annotations.NullMarked;
