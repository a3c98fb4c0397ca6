/** A day without a time, as text: `2026-11-24`, or empty. */
import { type CalendarDate, parseDate } from "@internationalized/date";
import type { ReactNode } from "react";
import { DateField } from "./DateField";

interface Props {
  label: string;
  value: string;
  onChange: (day: string) => void;
  description?: ReactNode;
  errorMessage?: string | undefined;
}

export function DayField({ value, onChange, errorMessage, ...props }: Props) {
  return (
    <DateField<CalendarDate>
      {...props}
      value={dayOf(value)}
      onChange={(day) => onChange(day?.toString() ?? "")}
      {...(errorMessage && { isInvalid: true })}
    />
  );
}

function dayOf(text: string): CalendarDate | null {
  try {
    return text ? parseDate(text) : null;
  } catch {
    return null;
  }
}
