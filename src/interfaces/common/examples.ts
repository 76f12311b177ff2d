/** The words of a conversation that is the same in several interfaces, whose reply is cut off. */
export const countToTen = "Count from one to ten.";
export const oneTwo = "One, two";
