import { queryOptions } from "@tanstack/react-query";
import { type LoanStatus, listLoans } from "../../api/loans";
import { patronKey } from "../patrons/queries";

export const loansOf = (userId: string, status: LoanStatus) =>
  queryOptions({
    queryKey: [...patronKey(userId), "loans", status],
    queryFn: () => listLoans(userId, status),
  });
